// Proxies whose X-Forwarded-For header is trusted, because of their address or a token that only they send (G-12).

export interface TrustedProxies {
  /** Addresses and networks, such as 172.18.0.2 or 10.0.0.0/8. */
  addresses?: readonly string[];
  /** Sent in the header Postern-Proxy. */
  token?: string;
}
