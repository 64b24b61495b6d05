import { resource } from '../../../records/resource.ts'
import { File } from './file.ts'

export const files = resource(File, {})
