import { setTimeout as delay } from 'node:timers/promises'
import { PlatformBusyError, PlatformRefusedError } from '../provider.ts'
import { isRefusedAlone, orElse } from '../refused.ts'
import { QUOTA_WAIT_MS, type Quota } from './api.ts'
import { type Memory, noteMoment } from './earlier.ts'

/** Three minutes in all; after that the job looks again later. */
const FIRST_LOOK_MS = 400
const LONGEST_LOOK_MS = 5_000
const MOST_LOOKS = 42

/** Instagram Platform and Threads API: states of a container. One that is not published within 24 hours expires. */
export type ContainerState = 'EXPIRED' | 'ERROR' | 'FINISHED' | 'IN_PROGRESS' | 'PUBLISHED'

/** Something that is published by way of a container. */
export interface Publication {
  /** Under which its container is noted. */
  name: string
  memory: Memory
  signal: AbortSignal
  create(): Promise<string>
  look(container: string): Promise<{ state: ContainerState; words: string }>
  /** The id of the post. A container is published once, however often it is asked. */
  publish(container: string): Promise<string>
  /** The post of a container that was published, made since a moment; null where it cannot be seen yet. */
  find(since: string | undefined): Promise<string | null>
}

/**
 * Publishes once, however often it is tried: the container is noted before it is published, and one that an earlier try has
 * published is looked for and not published again.
 */
export async function publishOnce(publication: Publication): Promise<string> {
  const { name, memory, create, publish, find } = publication
  const moment = `${name}_asked_at`
  let container = memory.get(name)
  // A container that the network could not use, or that is gone, is as good as one that has expired.
  const earlier = async (): Promise<ContainerState> =>
    container === undefined ? 'EXPIRED' : settled(publication, container)
  let state = await orElse<ContainerState, ContainerState>(earlier(), 'EXPIRED', isRefusedAlone)
  if (state !== 'FINISHED' && memory.get(moment) !== undefined) {
    const known = await find(memory.get(moment))
    if (known !== null) return known
    if (state === 'PUBLISHED') throw new Error('The network has published the post, but does not show it yet')
  }
  if (container === undefined || state === 'EXPIRED') {
    container = await create()
    await memory.note({ [name]: container })
    state = await settled(publication, container)
  }
  await noteMoment(memory, moment)
  return publish(container)
}

/** Waits until the network is done with a container. Throws a PlatformRefusedError where it cannot use it. */
export async function settled(
  { look, signal }: Pick<Publication, 'look' | 'signal'>,
  container: string,
): Promise<ContainerState> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const { state, words } = await look(container)
    if (state === 'ERROR') throw new PlatformRefusedError(words)
    if (state !== 'IN_PROGRESS') return state
    await delay(Math.min(FIRST_LOOK_MS * 1.5 ** looks, LONGEST_LOOK_MS), undefined, { signal })
  }
  throw new Error('The network was not done with a file of the post')
}

/** Throws a PlatformBusyError where as many posts were published in 24 hours as the network allows. */
export function requireRoom({ data }: Quota): void {
  const [quota] = data
  const total = quota?.config?.quota_total
  if (!quota || total === undefined || quota.quota_usage < total) return
  const words = `The network allows ${total} posts by apps in 24 hours, and all of them were published.`
  throw new PlatformBusyError(words, Date.now() + QUOTA_WAIT_MS)
}
