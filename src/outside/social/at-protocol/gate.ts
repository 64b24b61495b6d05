import { AppBskyFeedThreadgate, ComAtprotoRepoGetRecord, ComAtprotoRepoPutRecord } from '@atproto/api'
import { PlatformRefusedError } from '../provider.ts'
import { placeOf } from './place.ts'
import { refusing, type Session } from './session.ts'

/** What the author of a post allows below it, under the key of the post. */
const GATES = 'app.bsky.feed.threadgate'
/** Lexicon app.bsky.feed.threadgate. */
const MOST_HIDDEN = 300
/** Tries of a change that others may make at the same time. */
const TRIES = 3

interface Gate {
  record: Partial<AppBskyFeedThreadgate.Record>
  /** Null where there is none yet. */
  cid: string | null
}

/** Changes which replies are hidden below a post of the account. Who may reply stays as it is. */
export async function changeGate(
  session: Session,
  post: string,
  change: (hidden: string[]) => string[],
): Promise<void> {
  for (let rest = TRIES - 1; ; rest--) {
    const gate = await gateOf(session, post)
    const known = gate.record.hiddenReplies ?? []
    const hiddenReplies = change(known)
    if (hiddenReplies === known) return
    if (hiddenReplies.length > MOST_HIDDEN)
      throw new PlatformRefusedError(`a conversation can have ${MOST_HIDDEN} hidden replies at most`)
    if (await stored(session, post, { ...gate, record: { ...gate.record, hiddenReplies } })) return
    if (rest === 0) throw new Error('The hidden replies of a post were changed by others at the same time')
  }
}

async function gateOf({ agent, did: repo }: Session, post: string): Promise<Gate> {
  try {
    const { data } = await agent.com.atproto.repo.getRecord({ ...placeOf(post), repo, collection: GATES })
    const known = AppBskyFeedThreadgate.validateRecord(data.value)
    return { record: known.success ? known.value : {}, cid: data.cid ?? null }
  } catch (error) {
    if (error instanceof ComAtprotoRepoGetRecord.RecordNotFoundError) return { record: {}, cid: null }
    throw error
  }
}

/** False where it was changed since it was read. */
function stored({ agent, did: repo }: Session, post: string, { record, cid }: Gate): Promise<boolean> {
  const { rkey } = placeOf(post)
  const whole = { createdAt: new Date().toISOString(), ...record, $type: GATES, post }
  return refusing(async () => {
    try {
      await agent.com.atproto.repo.putRecord({ repo, collection: GATES, rkey, record: whole, swapRecord: cid })
      return true
    } catch (error) {
      if (error instanceof ComAtprotoRepoPutRecord.InvalidSwapError) return false
      throw error
    }
  }, 'hiding the reply')
}
