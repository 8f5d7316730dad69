// Sets properties under any name, even one that is special in JavaScript.

/** Assigning to `__proto__` would change the prototype instead of adding a property. */
export function setMember<T>(object: Record<string, T>, name: string, value: T): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else object[name] = value;
}
