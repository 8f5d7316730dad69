// Keeps the key of this browser where only this origin can read it, and goes on to the address with the key from one without it.
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
  // Storage is switched off: the owner signs in again, and links keep the key.
}
