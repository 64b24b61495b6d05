import type { Tables } from '../../resources/tables.ts'

/** A program that goes on batch by batch, as it is stored. */
export type BackgroundRow = Tables['background_programs']
