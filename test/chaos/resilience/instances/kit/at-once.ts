const WORKERS = 16;

/** Several workers repeat `work` until it resolves to false. */
export async function atOnce(work: () => Promise<boolean>): Promise<void> {
  const repeat = async () => {
    while (await work());
  };
  await Promise.all(Array.from({ length: WORKERS }, repeat));
}
