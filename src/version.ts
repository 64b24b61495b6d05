import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

/** The version of this release, as package.json has it: the same everywhere. */
export const VERSION: string = version
