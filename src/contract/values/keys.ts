/** The keys of an object that has no others than its type says. */
export function keysOf<Known extends object>(known: Known): (keyof Known & string)[] {
  return Object.keys(known) as (keyof Known & string)[]
}
