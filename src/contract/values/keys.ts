/** Returns the keys with their type. The declared type must list all keys of the object. */
export function keysOf<Known extends object>(known: Known): (keyof Known & string)[] {
  return Object.keys(known) as (keyof Known & string)[]
}
