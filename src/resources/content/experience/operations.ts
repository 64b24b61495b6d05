import { resource } from '../../../records/resource.ts'
import { Experience } from './experience.ts'

export const experiences = resource(Experience, {})
