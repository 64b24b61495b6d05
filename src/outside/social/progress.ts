/**
 * What an adapter keeps of a post on its way, such as the address of an upload or the id of a container, so that a later try
 * goes on where an earlier one ended. Encrypted, and removed when the post is published. Where the platform refuses, an adapter
 * keeps what is there of the post, for a retry by a person, or nothing, so that a retry begins anew.
 */
export interface Progress {
  /** What was kept last under the key of the request; empty at first. */
  readonly known: Readonly<Record<string, string>>
  /** Resolves when the values are stored, in place of those before. Rejects where another try goes on with the post. */
  keep(values: Record<string, string>): Promise<void>
}

/** Where an adapter keeps how far a post is, without which it would begin again with every try. */
export function progressIn({ progress }: { progress?: Progress }): Progress {
  if (progress) return progress
  throw new Error('The request has no place for the progress of the post.')
}
