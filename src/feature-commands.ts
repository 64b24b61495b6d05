import type { FeatureCommand } from './cli/command.ts'
import { commands as ofFormations } from './features/formations/commands.ts'
import { commands as ofImporting } from './features/importing/commands.ts'

/** The commands of all features. They are listed here, because a command loads neither the features nor the other commands. */
export const FEATURE_COMMANDS: Readonly<Record<string, FeatureCommand>> = { ...ofFormations, ...ofImporting }
