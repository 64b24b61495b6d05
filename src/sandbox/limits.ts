import { MAX_PROGRAM_BYTES, MAX_WHOLE_BYTES } from './api.ts'

export const limits = {
  programBytes: MAX_PROGRAM_BYTES,
  /** Enough for a body of the 1,000,000 bytes that the REST API accepts, plus the path and the method. */
  requestBytes: 1024 * 1024,
  /** Enough for a page of 100 rows with all expansions, which stays under 2 MB. */
  answerBytes: 8 * 1024 * 1024,
  /** Longer output would displace the task from the model's context. */
  outputBytes: 64 * 1024,
  /** Large enough to arrive whole and be shortened by its structure, small enough to be parsed without delaying other requests. */
  resultBytes: MAX_WHOLE_BYTES,
  /** Error messages may quote a value of any size. */
  messageBytes: 2000,
  /** Enough to read 100,000 rows in pages of 100. */
  calls: 1000,
  /** Models need only a few descriptions; a program that needs more should read `resources`. */
  descriptions: 100,
  /** 192 MB in pages of 64 KiB. The idle interpreter has 81 MB, most of it unused. Without a maximum, a program reached 4 GB. */
  memoryPages: 3072,
  /** The 5 seconds that the API documentation promises. */
  deadlineMs: 5000,
  /** At 1 ms per program, the last of 256 waiting programs starts after a quarter of a second. */
  queueLength: 256,
  /** Enough for a burst from a script. With two workers and every program running to its deadline, the last one waits 160 s. */
  queuePerAccount: 64,
  /** The number of extra workers that may be started while long programs occupy the regular ones. More would only share the same cores. */
  furtherWorkers: 2,
}

export type Limits = typeof limits
