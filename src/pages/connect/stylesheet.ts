import { sheets, stylesheet } from '../parts/stylesheet.ts'

export const CONNECT_STYLE = stylesheet('/connect/', ...sheets(import.meta.url, 'connect'))
