import axios, { AxiosError, AxiosInstance, AxiosRequestConfig } from 'axios';

interface Problem {
  title: string;
  detail?: string;
}

function withToken(getToken: () => string) {
  return (config: AxiosRequestConfig): AxiosRequestConfig => {
    config.headers.common.Authorization = `Bearer ${getToken()}`;
    if (config.method === 'post') {
      config.headers.post['Content-Type'] = 'application/vnd.api+json';
    }
    return config;
  };
}

export function createClient(baseURL: string, getToken: () => string): AxiosInstance {
  const client = axios.create({ baseURL });
  client.interceptors.request.use(withToken(getToken));
  return client;
}

export async function listOrders(client: AxiosInstance, page: number): Promise<string[]> {
  try {
    const { data } = await client.get<string[]>('/orders', { params: { page } });
    return data;
  } catch (err) {
    const failure = err as AxiosError;
    if (failure.response) {
      const problem: Problem = { title: failure.response.data.title, detail: failure.response.data.detail };
      throw new Error(`${failure.config.url}: ${problem.title} ${problem.detail || ''}`);
    }
    throw err;
  }
}
