import React, { useState } from 'react';
import nanoid from 'nanoid/non-secure';
import generate from 'nanoid/non-secure/generate';

export function ItemList({ prefix }) {
  const [items, setItems] = useState([]);

  function add() {
    setItems((current) => [...current, { key: nanoid(), label: prefix + generate('0123456789', 4) }]);
  }

  return (
    <div>
      <button onClick={add}>Add</button>
      <ul>
        {items.map((item) => (
          <li key={item.key}>{item.label}</li>
        ))}
      </ul>
    </div>
  );
}
