import { isRefusedAlone, orElse } from '../network.ts'
import { PlatformBusyError, PlatformRefusedError } from '../provider.ts'
import { processed } from '../sending.ts'
import { QUOTA_WAIT_MS, type Quota } from './api.ts'
import { type Memory, noteMoment } from './earlier.ts'

/** The states of a container (Instagram Platform and Threads API). An unpublished container expires after 24 hours. */
export type ContainerState = 'EXPIRED' | 'ERROR' | 'FINISHED' | 'IN_PROGRESS' | 'PUBLISHED'

/** A post or comment that is published through a container. */
export interface Publication {
  /** The key under which the id of the container is stored. */
  name: string
  memory: Memory
  signal: AbortSignal
  create(): Promise<string>
  look(container: string): Promise<{ state: ContainerState; words: string }>
  /** Publishes the container and returns the post's id. Repeating this request does not publish it again. */
  publish(container: string): Promise<string>
  /** Finds the post of a container that may have been published after `since`; null if the post is not visible yet. */
  find(since: string | undefined): Promise<string | null>
}

/**
 * Publishes a post or comment once, even over several attempts: stores the container's id before it is published, and looks for
 * the post if an earlier attempt may have published it.
 */
export async function publishOnce(publication: Publication): Promise<string> {
  const { name, memory, create, publish, find } = publication
  const moment = `${name}_asked_at`
  let container = memory.get(name)
  // Treats a container that the network could not use or no longer has as expired.
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

/** Waits until the network has processed a container. Throws a PlatformRefusedError if the network cannot use it. */
export function settled(
  { look, signal }: Pick<Publication, 'look' | 'signal'>,
  container: string,
): Promise<ContainerState> {
  const lookOnce = async () => {
    const { state, words } = await look(container)
    if (state === 'ERROR') throw new PlatformRefusedError(words)
    return state === 'IN_PROGRESS' ? null : state
  }
  return processed(lookOnce, { signal, unfinished: 'The network was not done with a file of the post' })
}

/** Throws a PlatformBusyError if the quota of posts in 24 hours is used up. */
export function requireRoom({ data }: Quota): void {
  const [quota] = data
  const total = quota?.config?.quota_total
  if (!quota || total === undefined || quota.quota_usage < total) return
  const words = `The network allows ${total} posts by apps in 24 hours, and all of them were published.`
  throw new PlatformBusyError(words, Date.now() + QUOTA_WAIT_MS)
}
