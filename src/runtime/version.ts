import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

/** The version of this release, from package.json. */
export const VERSION: string = version
