import { resource } from '../../../records/resource.ts'
import { Charge } from './charge.ts'

export const charges = resource(Charge, {})
