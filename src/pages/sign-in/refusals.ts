import { ApiError } from '../../contract/errors.ts'
import { ConflictError, StorageError } from '../../database/database.ts'
import { type Refusals, refused, slowDown } from '../parts/refusals.ts'

/** What the pages before and around signing in say when they do not do what was asked. */
export const SIGN_IN_REFUSALS: Refusals = {
  foreignForm: (ownUrl) =>
    refused(403, {
      title: 'This form was sent from another site',
      words: 'For your safety it was not taken. Open the page itself and try again.',
      way: { url: ownUrl, words: 'Open the page' },
    }),
  tooManyPosts: (seconds) => slowDown('This was tried too often in a short time.', seconds),
  failure,
}

function failure(error: unknown, requestId: string, ownUrl: string): Promise<Response> {
  const way = { url: ownUrl, words: 'Open the page again' }
  if (error instanceof ApiError && [413, 415, 400, 503].includes(error.status))
    return refused(error.status, { title: 'This could not be read', words: error.message, way }, error.headers)
  if (error instanceof ConflictError || error instanceof StorageError)
    return refused(
      503,
      { title: 'The service is very busy', words: 'Nothing was changed. Please try again in a moment.', way },
      { 'Retry-After': '5' },
    )
  return refused(500, {
    title: 'Something went wrong on our side',
    words: `Please try again. If it happens again, give the operator of this service the number ${requestId}.`,
    way,
  })
}
