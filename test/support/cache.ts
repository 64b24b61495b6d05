import { fileURLToPath } from 'node:url'

const directory = (name: string) => fileURLToPath(new URL(`../../.cache/${name}`, import.meta.url))

/** One snapshot of the interpreter for all suites and runs. Not in the repository; safe to delete. */
export const CACHE_DIR = directory('test')

/** The snapshots on the small catalogue of the sandbox's own suites. */
export const SANDBOX_CACHE_DIR = directory('test-sandbox')
