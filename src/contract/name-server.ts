import { isIP } from 'node:net'

/** As Node's resolver takes it: an address, or `address:port`, with IPv6 in brackets before a port. */
export function isNameServer(given: string): boolean {
  const [, address = given, port = '53'] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(given) ?? []
  return isIP(given) !== 0 || (isIP(address) !== 0 && Number(port) <= 65_535)
}
