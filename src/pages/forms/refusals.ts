import { ApiError } from '../../contract/errors.ts'
import { ConflictError, StorageError } from '../../database/database.ts'
import { type Refusals, refused, slowDown } from '../parts/refusals.ts'

/** What the pages of forms say when they do not do what was asked. */
export const FORM_REFUSALS: Refusals = {
  foreignForm: (ownUrl) =>
    refused(403, {
      title: 'This form was sent from another site',
      words: 'For your safety it was not taken. Open the form itself and try again.',
      way: { url: ownUrl, words: 'Open the form' },
    }),
  tooManyPosts: (seconds) => slowDown('Too many forms were sent in a short time. The last one was not taken.', seconds),
  failure,
}

function failure(error: unknown, requestId: string, ownUrl: string): Promise<Response> {
  const way = { url: ownUrl, words: 'Open the form again' }
  if (error instanceof ApiError && [413, 415, 400, 503].includes(error.status)) {
    const words = `${error.message} Nothing was taken.`
    return refused(error.status, { title: 'This could not be read', words, way }, error.headers)
  }
  if (error instanceof ConflictError || error instanceof StorageError) {
    const words = 'Nothing was taken. Please try again in a moment.'
    return refused(503, { title: 'The shop is very busy', words, way }, { 'Retry-After': '5' })
  }
  return refused(500, {
    title: 'Something went wrong on our side',
    words: `Nothing was taken. If it happens again, tell the shop the number ${requestId}.`,
    way,
  })
}
