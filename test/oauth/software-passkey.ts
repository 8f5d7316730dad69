// A passkey in software: creates and signs the responses of a browser with an authenticator, and also those of an attacker.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Ceremony {
  /** The options that the page passed. */
  options: { challenge: string; rpId?: string; rp?: { id: string } };
  origin: string;
  counter?: number;
  /** If true, the passkey skips the fingerprint or PIN. */
  unverified?: true;
}

export interface SoftwarePasskey {
  create(ceremony: Ceremony): string;
  use(ceremony: Ceremony): string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

export function softwarePasskey(): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  const clientData = (type: string, { options, origin }: Ceremony): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge: options.challenge, origin, crossOrigin: false }));
  const head = ({ options, counter = 0, unverified }: Ceremony, more: number): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const server = createHash("sha256")
      .update(options.rpId ?? options.rp!.id)
      .digest();
    return Buffer.concat([server, Buffer.of(USER_PRESENT | (unverified ? 0 : USER_VERIFIED) | more), count]);
  };
  const answer = (response: Record<string, Buffer>): string =>
    JSON.stringify({
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      clientExtensionResults: {},
      response: Object.fromEntries(
        Object.entries(response).map(([name, value]) => [name, value.toString("base64url")]),
      ),
    });
  return {
    create(ceremony) {
      const { x, y } = publicKey.export({ format: "jwk" });
      const [left, right] = [x!, y!].map((part) => Buffer.from(part, "base64url"));
      // COSE: EC2, ES256, P-256, x, y (RFC 9052).
      const key = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        left!,
        Buffer.from("225820", "hex"),
        right!,
      ]);
      const data = Buffer.concat([head(ceremony, HAS_KEY), Buffer.alloc(16), Buffer.of(0, id.length), id, key]);
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
      const attestationObject = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
        Buffer.of(data.length),
        data,
      ]);
      return answer({ clientDataJSON: clientData("webauthn.create", ceremony), attestationObject });
    },
    use(ceremony) {
      const clientDataJSON = clientData("webauthn.get", ceremony);
      const authenticatorData = head(ceremony, 0);
      const signed = Buffer.concat([authenticatorData, createHash("sha256").update(clientDataJSON).digest()]);
      return answer({ clientDataJSON, authenticatorData, signature: sign("sha256", signed, privateKey) });
    },
  };
}
