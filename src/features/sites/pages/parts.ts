import type { HostParts } from '../../../pages/hosts/hosts.ts'

export type SiteParts = Pick<HostParts, 'services' | 'database' | 'publicUrl'>
