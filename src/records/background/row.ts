import type { Tables } from '../../resources/tables.ts'

/** A stored Ruby program that processes a list of rows in batches. */
export type BackgroundRow = Tables['background_programs']
