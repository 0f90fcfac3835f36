import { Collection, Cursor, FilterQuery, MongoError, ObjectID } from 'mongodb';

export interface Customer {
  _id?: ObjectID;
  email: string;
  country: string;
  visits: number;
}

export class Customers {
  constructor(private readonly collection: Collection<Customer>) {}

  search(filter: FilterQuery<Customer>): Cursor<Customer> {
    return this.collection.find(filter).limit(50);
  }

  async register(customer: Customer): Promise<ObjectID> {
    try {
      const result = await this.collection.insertOne(customer);
      if (result.insertedCount !== 1) throw new Error('not stored');
      return result.insertedId;
    } catch (err) {
      if (err instanceof MongoError && err.code === 11000) {
        throw new Error(`${customer.email} is already registered`);
      }
      throw err;
    }
  }
}
