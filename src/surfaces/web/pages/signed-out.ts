// The page shown after signing out.
import { messagePage } from "./message.ts";

export function signedOutPage({ loginUrl }: { loginUrl: string }): string {
  return messagePage({
    title: "You are signed out",
    text: "Apps keep the access that you gave them. To change that, sign in and open Apps.",
    status: 200,
    next: { label: "Sign in", href: loginUrl },
  });
}
