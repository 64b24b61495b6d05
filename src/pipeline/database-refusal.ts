import { type ApiError, outcomeUnknown, storageRefused, tooManyWriters } from '../contract/declarations/errors.ts'
import { ConflictError, OutcomeUnknownError, StorageError } from '../database/database.ts'

/** What an error of the database is to a client: a 503 that says when to come again, or null for a fault of ours. */
export function databaseRefusal(error: unknown): ApiError | null {
  if (error instanceof ConflictError) return tooManyWriters()
  if (error instanceof OutcomeUnknownError) return outcomeUnknown()
  if (error instanceof StorageError) return storageRefused(error.problem)
  return null
}
