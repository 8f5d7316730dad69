// Stores this browser's key where only this origin can read it, and redirects from an address without the key to the
// one with it. If the first page was made for another time zone, it is reloaded before it is shown (V-10).
{
  const written = document.currentScript.dataset.zone;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const told = `pdpp_zone=${encodeURIComponent(own)}`;
  if (written && own && own !== written && !document.cookie.includes(told)) {
    const root = location.pathname.split("/dashboard")[0];
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not supported everywhere yet.
    document.cookie = `${told}; Path=${root}/; SameSite=Strict; Max-Age=31536000`;
    // If cookies are refused, the page is not reloaded.
    if (document.cookie.includes(told)) location.replace(location.href);
  }
}
try {
  const own = /^\/~([\w-]{22})\//.exec(location.pathname)?.[1];
  if (document.currentScript.dataset.key === "keep") {
    if (own) localStorage.setItem("postern.key", own);
  } else if (!own) {
    const kept = localStorage.getItem("postern.key");
    if (/^[\w-]{22}$/.test(kept ?? ""))
      location.replace(`/~${kept}${location.pathname}${location.search}${location.hash}`);
  }
} catch {
  // Storage is disabled. The owner signs in again, and links keep the key.
}
