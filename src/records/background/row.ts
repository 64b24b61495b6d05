import type { Tables } from '../../resources/tables.ts'

/** A stored program that runs batch by batch. */
export type BackgroundRow = Tables['background_programs']
