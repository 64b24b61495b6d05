import { z } from 'zod'
import type { Actor } from './caller.ts'
import { structure } from './kinds.ts'

/** Declares a hidden column with the actors whose rights limit later work on the row. */
export function actors(description: string) {
  return structure<Actor[]>('array', z.custom<Actor[]>(), description, []).default([])
}
