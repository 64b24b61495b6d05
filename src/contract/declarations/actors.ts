import { z } from 'zod'
import type { Actor } from './caller.ts'
import { structure } from './kinds.ts'

/** Declares a hidden column that names people and tokens whose rights count. */
export function actors(description: string) {
  return structure<Actor[]>('array', z.custom<Actor[]>(), description, []).default([])
}
