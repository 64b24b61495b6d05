/** Returns a request header by its lower-case name, or null if it is absent. */
export type HeaderOf = (name: string) => string | null
