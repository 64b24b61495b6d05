import { type ApiError, outcomeUnknown, storageRefused, tooManyWriters } from '../contract/declarations/errors.ts'
import { ConflictError, OutcomeUnknownError, StorageError } from '../database/database.ts'

/** Returns a 503 with a retry time for a temporary database error; null for any other error, which is a bug. */
export function databaseRefusal(error: unknown): ApiError | null {
  if (error instanceof ConflictError) return tooManyWriters()
  if (error instanceof OutcomeUnknownError) return outcomeUnknown()
  if (error instanceof StorageError) return storageRefused(error.problem)
  return null
}
