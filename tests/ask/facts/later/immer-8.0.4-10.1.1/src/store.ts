import produce, { Draft, enableAllPlugins, setUseProxies } from 'immer';

enableAllPlugins();
setUseProxies(true);

export interface State {
  users: Map<string, { name: string; seen: number }>;
}

export const seen = produce((draft: Draft<State>, id: string, at: number) => {
  const user = draft.users.get(id);
  if (user) user.seen = at;
});

export async function rename(state: State, id: string, ask: () => Promise<string>): Promise<State> {
  return produce(state, async (draft: Draft<State>) => {
    const user = draft.users.get(id);
    if (user) user.name = await ask();
  });
}
