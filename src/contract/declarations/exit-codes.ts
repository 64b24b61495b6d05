/** Exit codes of all commands. Scripts depend on the numbers, so never change them. */
export const EXIT_CODES = {
  done: [0, 'Done'],
  failed: [1, 'Not done, or the program raised an error; the message says why'],
  usage: [2, 'The command is wrong: an unknown command or option, a file that is missing, JSON that cannot be read'],
  noData: [3, 'There is no service here: `DATA_DIR` or the database of `DATABASE_URL` holds no data'],
  unreachable: [4, 'No server answers, or what answers is another program'],
  badToken: [5, 'The server does not accept `SHOPWRIGHT_TOKEN`'],
  refused: [6, 'The shop refused a call or a plan, and the program did not handle it or returned the refusal'],
  limit: [7, 'The program was stopped at a limit: its time, its memory or its number of calls'],
  cut: [8, 'The program succeeded, and standard output holds a part of its result'],
  busy: [9, 'The server is busy, or the rate limit is used up; try again later'],
  wrong: [10, '`verify` found something wrong with the data; its lines say what to do'],
  settings: [
    78,
    'A setting of `npm start` is wrong; the message says which, and what would be right. Starting again changes nothing',
  ],
  stopped: [130, 'The command was interrupted'],
} as const satisfies Record<string, readonly [code: number, meaning: string]>

export type End = keyof typeof EXIT_CODES
