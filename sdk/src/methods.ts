/** `group.method` of a client. */
export type MethodOf<Client> = {
  [Group in keyof Client & string]: `${Group}.${keyof Client[Group] & string}`;
}[keyof Client & string];
