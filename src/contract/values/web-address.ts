/** Whether it is the address of a web page: http or https, without a user's name. */
export function isWebAddress(given: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(given) || !URL.canParse(given)) return false
  const { username, password, hostname } = new URL(given)
  return username === '' && password === '' && hostname !== ''
}
