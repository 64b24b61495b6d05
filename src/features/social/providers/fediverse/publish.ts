import { z } from 'zod'
import { DAY_MS } from '../../../../contract/values/values.ts'
import type { WebClient } from '../../../../providers/web/client.ts'
import { orNoComment } from '../network.ts'
import { PlatformRefusedError, type Published, type PublishRequest } from '../provider.ts'
import { processed, wholeFile } from '../sending.ts'
import { Account, type Api, isNotThere, isSameText, Media, plainText, Status } from './api.ts'

/** The maximum size of a file, which is held in memory while it is sent. The server's own limit is checked before the post is sent. */
const MOST_BYTES = 200_000_000
/** A post with the same text counts as that of an earlier attempt only if it is younger than a day; no request is retried for longer. */
const NEWEST = 40

export async function publishStatus(api: Api, request: PublishRequest, web: WebClient): Promise<Published> {
  const { key, again, text, firstComment } = request
  const known = again ? await findEarlier(api, text, null) : null
  const language = languageOf(request)
  const status =
    known ??
    (await postStatus(api, `post ${key}`, { status: text, media_ids: await mediaOf(api, request, web), ...language }))
  if (firstComment === null) return { id: status.id, url: status.url ?? null, firstCommentId: null }
  const comment =
    (again ? await findEarlier(api, firstComment, status.id) : null) ??
    (await orNoComment(
      postStatus(api, `first comment ${key}`, { status: firstComment, in_reply_to_id: status.id, ...language }),
    ))
  return { id: status.id, url: status.url ?? null, firstCommentId: comment?.id ?? null }
}

/** Returns the language code without its region, since instances accept no other (ISO 639); if absent, they use the account's language. */
function languageOf({ language }: PublishRequest): { language?: string } {
  return language === undefined ? {} : { language: language.replace(/-.*$/, '') }
}

function postStatus(api: Api, key: string, body: Record<string, unknown>): Promise<Status> {
  return api.call('/api/v1/statuses', Status, { method: 'POST', body, key })
}

/** Replies to a comment. The instance remembers the idempotency key for an hour. */
export async function answer(api: Api, key: string, to: string, text: string, again: boolean): Promise<Status> {
  const known = again ? await findEarlier(api, text, to) : null
  if (known) return known
  try {
    // Hollo servers answer with a server error if the comment does not exist, so a retry first checks that it exists.
    if (again) await api.call(`/api/v1/statuses/${encodeURIComponent(to)}`, Status)
    return await postStatus(api, `answer ${key}`, { status: text, in_reply_to_id: to })
  } catch (error) {
    if (!isNotThere(error)) throw error
    throw new PlatformRefusedError('A reply was not sent: the comment that it answers is no longer on the server.')
  }
}

/** Finds an earlier attempt's post among the newest, because instances forget idempotency keys after an hour. */
async function findEarlier(api: Api, text: string, answerTo: string | null): Promise<Status | null> {
  const { id } = await api.call('/api/v1/accounts/verify_credentials', Account)
  const query = `limit=${NEWEST}&exclude_reblogs=true${answerTo === null ? '&exclude_replies=true' : ''}`
  const statuses = await api.call(`/api/v1/accounts/${id}/statuses?${query}`, z.array(Status))
  const youngest = Date.now() - DAY_MS
  const same = statuses.find(
    (one) =>
      Date.parse(one.created_at) > youngest &&
      (answerTo === null || one.in_reply_to_id === answerTo) &&
      isSameText(plainText(one.content), text),
  )
  return same ?? null
}

async function mediaOf(api: Api, { media, signal }: PublishRequest, web: WebClient): Promise<string[]> {
  const ids: string[] = []
  for (const { url, contentType, alternativeText } of media) {
    const bytes = await wholeFile(url, { what: 'a file of the post', mostBytes: MOST_BYTES, web, signal })
    const form = new FormData()
    form.set('file', new Blob([bytes], { type: contentType }), contentType.replace('/', '.'))
    if (alternativeText !== null) form.set('description', alternativeText)
    const { id, url: ready } = await api.call('/api/v2/media', Media, { method: 'POST', body: form })
    // The server returns 206 without a URL while it works, and 422 if it cannot use the file.
    const look = async () => (await api.call(`/api/v1/media/${id}`, Media)).url
    if (ready === null)
      await processed(look, { signal, unfinished: 'The instance was not done with a file of the post' })
    ids.push(id)
  }
  return ids
}
