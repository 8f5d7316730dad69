// Proxies whose X-Forwarded-For is trusted: by their address, or by a token that only they send (G-12).

export interface TrustedProxies {
  /** Addresses and networks: 172.18.0.2, 10.0.0.0/8. */
  addresses?: readonly string[];
  /** In the header Postern-Proxy. */
  token?: string;
}
