/** A header of a request by its lower-case name; null where it has none. */
export type HeaderOf = (name: string) => string | null
