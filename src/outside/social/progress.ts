import type { Progress, PublishRequest } from './provider.ts'

/** Where an adapter keeps how far a post is, without which it would begin again with every try. */
export function progressIn({ progress }: PublishRequest): Progress {
  if (progress) return progress
  throw new Error('The request has no place for the progress of the post.')
}
