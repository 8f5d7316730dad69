// Members of records under any name, also one that JavaScript would take for something else.

/** An assignment to `__proto__` would change what the object is, not what it holds. */
export function setMember<T>(object: Record<string, T>, name: string, value: T): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else object[name] = value;
}
