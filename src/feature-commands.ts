import type { FeatureCommand } from './cli/command.ts'
import { commands as ofFormations } from './features/formations/commands.ts'

/** The commands of all features. They are listed here, because a command is loaded without the features. */
export const FEATURE_COMMANDS: Readonly<Record<string, FeatureCommand>> = { ...ofFormations }
