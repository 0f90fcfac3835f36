'use strict';

const git = require('simple-git/promise');

exports.tag = async (folder, version) => {
  const repository = git(folder).silent(true);
  const { current } = await repository.branchLocal();
  if (current !== 'main') {
    throw new Error(`on ${current}`);
  }
  await repository.commit([`Release ${version}`]);
  await repository.addTag(`v${version}`);
  return (await repository.log({ from: 'main', to: `v${version}` })).total;
};
