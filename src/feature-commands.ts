import { IMPORTING_COMMANDS, IMPORTING_SUMMARIES } from './features/importing/commands.ts'

/** The commands of all features. They are listed here, because a command loads neither the features nor the other commands. */
export const FEATURE_COMMANDS = { ...IMPORTING_COMMANDS } as const

/** The lines of these commands in the list of all commands. */
export const FEATURE_SUMMARIES = { ...IMPORTING_SUMMARIES } as const
