import { type CommentRequest, PlatformRefusedError } from '../../provider.ts'
import { part } from '../api.ts'
import { shortMemory } from '../earlier.ts'
import { Anything } from '../shapes.ts'
import type { ThreadsAccount } from './profile.ts'
import { findThread, thread } from './publish.ts'

/** An answer with the same words is an earlier try only if it is this young: an attempt is not repeated for longer. */
const DAY_MS = 24 * 60 * 60 * 1000

/** What is done with an answer to a post (Threads API, Reply management). */
export async function act(account: ThreadsAccount, request: CommentRequest): Promise<{ id: string | null }> {
  const { action, comment } = request
  const path = `/${part(comment)}`
  if (action === 'like' || action === 'unlike') throw new PlatformRefusedError('Threads does not let apps like replies')
  if (action === 'reply') return { id: await answer(account, request) }
  if (action === 'delete') await account.graph.delete(path, Anything)
  else await account.graph.post(`${path}/manage_reply`, Anything, { hide: String(action === 'hide') })
  return { id: null }
}

async function answer(
  account: ThreadsAccount,
  { comment: to, content, again, signal }: CommentRequest,
): Promise<string> {
  const text = content ?? ''
  const since = new Date(Date.now() - DAY_MS).toISOString()
  const known = again ? await findThread(account, { text, to, since }) : null
  return known ?? thread(account, { name: 'reply', memory: shortMemory(), signal, text, media: [], to })
}
