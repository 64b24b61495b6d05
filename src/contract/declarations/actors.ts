import { z } from 'zod'
import type { Actor } from './caller.ts'
import { structure } from './kinds.ts'

/** Declares a hidden column of actors. Later work on the row, such as a scheduled job, may do only what each of the actors may do. */
export function actors(description: string) {
  return structure<Actor[]>('array', z.custom<Actor[]>(), description, []).default([])
}
