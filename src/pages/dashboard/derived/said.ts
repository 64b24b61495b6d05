import type { Values } from '../kit/ask.ts'
import type { Manageable } from '../kit/catalogue.ts'
import type { Visit } from '../kit/visit.ts'
import { shortId, title } from '../kit/words.ts'
import { called } from './detail.ts'

/** What has become of a thing, by what was done with it. */
export const DONE_WORDS: Record<string, string> = {
  create: 'created',
  update: 'saved',
  delete: 'deleted',
  refund: 'refunded',
  accept: 'accepted',
  advance: 'moved forward',
  again: 'made again',
  answer: 'answered',
  apply: 'applied',
  archive: 'archived',
  cancel: 'canceled',
  describe: 'described',
  duplicate: 'copied',
  hide: 'hidden',
  like: 'liked',
  pause: 'paused',
  position: 'moved',
  publish: 'published',
  reconnect: 'reconnected',
  reject: 'rejected',
  reply: 'answered',
  resend: 'sent again',
  restore: 'restored',
  resume: 'resumed',
  retry: 'retried',
  bring_back: 'brought back',
  retry_payment: 'given a new payment page',
  revoke: 'ended',
  schedule: 'scheduled',
  stop: 'stopped',
  submit: 'submitted',
  sync: 'updated',
  tags: 'tagged',
  test: 'sent a test event',
  uploaded: 'uploaded',
  unhide: 'shown again',
  unlike: 'no longer liked',
  unpublish: 'withdrawn',
  unschedule: 'no longer scheduled',
  void: 'voided',
}

/** What was done with a thing, in a sentence that names it: `Product “Tea” created.` */
export function saidOf(visit: Visit, things: Manageable, values: Values, did: string): string {
  return `${nameInWords(visit, things, values)} ${DONE_WORDS[did] ?? 'changed'}.`
}

/** `Product “Tea”`, or `Refund` where nothing but an id tells things apart. */
function nameInWords(visit: Visit, things: Manageable, values: Values): string {
  const kind = title(things.noun.name)
  const name = called(visit, things, values)
  if (name.startsWith(kind)) return name
  return name === '' || name === shortId(String(values.id ?? '')) ? kind : `${kind} “${name}”`
}
