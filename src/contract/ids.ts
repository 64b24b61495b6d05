import { typeidUnboxed } from 'typeid-js'

const SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}'

/** A new id: prefix, underscore, 26 characters of Crockford base32 over a UUIDv7 (the TypeID form); later ids sort later. */
export function newId(prefix: string): string {
  return typeidUnboxed(prefix)
}

/** Matches the ids of one prefix, and nothing else. */
export function idPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_${SUFFIX}$`)
}
