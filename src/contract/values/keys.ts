/** Returns the typed keys of an object. The type must list all of its keys. */
export function keysOf<Known extends object>(known: Known): (keyof Known & string)[] {
  return Object.keys(known) as (keyof Known & string)[]
}
