import { MAX_PROGRAM_BYTES, MAX_WHOLE_BYTES } from './api.ts'

/** The main limits of the sandbox and their reasons. code_execute sets its own deadline. */
export interface Limits {
  programBytes: number
  requestBytes: number
  answerBytes: number
  outputBytes: number
  resultBytes: number
  messageBytes: number
  calls: number
  descriptions: number
  memoryPages: number
  deadlineMs: number
  queueLength: number
  queuePerAccount: number
  furtherWorkers: number
}

export const limits: Limits = {
  programBytes: MAX_PROGRAM_BYTES,
  /** A call with a body of the 1,000,000 bytes that the REST API accepts, plus its path and method. */
  requestBytes: 1024 * 1024,
  /** A page of 100 rows with everything expanded stays under 2 MB. */
  answerBytes: 8 * 1024 * 1024,
  /** A model reads the output: more would displace its task from the context. */
  outputBytes: 64 * 1024,
  /** Large enough that the host can shorten it by its structure, small enough to be parsed without delaying other requests. */
  resultBytes: MAX_WHOLE_BYTES,
  /** An error message may quote a value of any size. */
  messageBytes: 2000,
  /** Reading 100,000 rows takes 1,000 pages. */
  calls: 1000,
  /** Models read a few; a program that needs more should read `resources`. */
  descriptions: 100,
  /** 192 MB of 64 KiB pages: the interpreter at rest has 81 MB, most of it unused; without a maximum a program reached 4 GB. */
  memoryPages: 3072,
  /** The contract's 5 seconds. */
  deadlineMs: 5000,
  /** At 1 ms per program, the last of 256 waits a quarter of a second. */
  queueLength: 256,
  /** A burst of a script; with two workers and every program running to its deadline, the last waits 160 s. */
  queuePerAccount: 64,
  /** More workers would only share the same cores. */
  furtherWorkers: 2,
}
