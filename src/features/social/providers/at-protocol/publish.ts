import { createHash } from 'node:crypto'
import { ComAtprotoRepoGetRecord, RichText } from '@atproto/api'
import type { WebClient } from '../../../../providers/web/client.ts'
import { orElse, orNoComment } from '../network.ts'
import type { Published, PublishRequest } from '../provider.ts'
import { embedOf } from './embed.ts'
import { refusing, type Session } from './session.ts'

const SORTABLE = '234567abcdefghijklmnopqrstuvwxyz'
const LENGTH = 13

const POSTS = 'app.bsky.feed.post'

/** A reference to a record: its URI and the hash of its content. */
export interface Reference {
  uri: string
  cid: string
}

/** Publishes a post with its first comment. Both have deterministic record keys, so a retry finds the records that exist. */
export async function publishPost(session: Session, request: PublishRequest, web: WebClient): Promise<Published> {
  const { signal, key, firstComment } = request
  const post = await findOrCreate(session, `post ${key}`, async () => {
    const embed = await embedOf(session, request, { web, signal })
    return { ...(await richText(session, request.text)), ...(embed && { embed }), ...langsOf(request) }
  })
  const said = { key: `first comment ${key}`, root: post, parent: post, ...langsOf(request) }
  const comment = firstComment === null ? null : await orNoComment(reply(session, { ...said, text: firstComment }))
  const url = `https://bsky.app/profile/${session.handle}/post/${post.uri.split('/').at(-1)}`
  return { id: post.uri, url, firstCommentId: comment?.uri ?? null }
}

interface Reply {
  key: string
  text: string
  /** The languages of the post; absent for replies to comments, whose language is unknown. */
  langs?: string[]
  root: Reference
  parent: Reference
}

function langsOf({ language }: PublishRequest): { langs?: string[] } {
  return language === undefined ? {} : { langs: [language] }
}

export function reply(session: Session, { key, text, root, parent, langs }: Reply): Promise<Reference> {
  return findOrCreate(session, key, async () => ({
    ...(await richText(session, text)),
    ...{ reply: { root, parent }, ...(langs && { langs }) },
  }))
}

/** Returns the record with this key, or creates it. An existing record stays unchanged. */
async function findOrCreate(
  session: Session,
  key: string,
  contentOf: () => Promise<Record<string, unknown>>,
): Promise<Reference> {
  const { agent, did: repo } = session
  const rkey = recordKey(`${session.did} ${key}`)
  const known = await findRecord(session, rkey)
  if (known) return known
  const record = { $type: POSTS, ...(await contentOf()), createdAt: new Date().toISOString() }
  const put = () => agent.com.atproto.repo.putRecord({ repo, collection: POSTS, rkey, record })
  const { data } = await refusing(put, 'the post')
  return { uri: data.uri, cid: data.cid }
}

async function findRecord({ agent, did: repo }: Session, rkey: string): Promise<Reference | null> {
  const found = await orElse(agent.com.atproto.repo.getRecord({ repo, collection: POSTS, rkey }), null, isNoRecord)
  return found && { uri: found.data.uri, cid: found.data.cid ?? '' }
}

export function isNoRecord(error: unknown): boolean {
  return error instanceof ComAtprotoRepoGetRecord.RecordNotFoundError
}

/** Returns a text with its links and mentions. Unknown mentions stay plain text, because the library gives them an invalid empty DID. */
async function richText({ agent }: Session, words: string) {
  const text = new RichText({ text: words })
  await text.detectFacets(agent)
  const facets = text.facets?.filter(({ features }) => !features.some((one) => 'did' in one && one.did === ''))
  return { text: text.text, ...(facets && facets.length > 0 && { facets }) }
}

/**
 * Derives a record key in the form of a timestamp identifier (atproto.com, Record Key) from a text, so that sending a post twice
 * creates one record.
 */
export function recordKey(words: string): string {
  let bits = createHash('sha256').update(words).digest().readBigUInt64BE() >> 1n
  let key = ''
  for (let place = 0; place < LENGTH; place++) {
    key = `${SORTABLE[Number(bits & 31n)]}${key}`
    bits >>= 5n
  }
  return key
}
