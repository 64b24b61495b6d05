import type { Resource } from '../records/resource.ts'
import { overviews } from './desk/overview/operations.ts'

/** What the dashboard alone shows: things of an account that no operation of the contract is about. */
export const desk: Resource[] = [overviews]
