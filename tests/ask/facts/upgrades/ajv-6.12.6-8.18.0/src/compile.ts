import Ajv from 'ajv';

const ajv: Ajv.Ajv = new Ajv({ schemaId: 'auto', coerceTypes: true });

export class SchemaStore {
  private readonly checks = new Map<string, Ajv.ValidateFunction>();

  add(name: string, schema: object): void {
    this.checks.set(name, ajv.compile(schema));
  }

  problems(name: string, data: unknown): string[] {
    const check = this.checks.get(name);
    if (!check) {
      throw new Error(`no schema ${name}`);
    }
    if (check(data)) {
      return [];
    }
    return (check.errors || []).map((error: Ajv.ErrorObject) => `${error.dataPath} ${error.message}`);
  }
}
