import { createHash } from 'node:crypto'

const SORTABLE = '234567abcdefghijklmnopqrstuvwxyz'
const LENGTH = 13

/**
 * The same record key for the same words: a timestamp identifier in form (atproto.com, Record Key), so that a post that is sent
 * twice is one record.
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
